// SPDX-License-Identifier: MIT
// Files that come in by a drop or a dialog, and files that go out.

async function readEntry(entry, path, out)
{
    if (entry.isFile)
    {
        const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
        out.push({ name: path + file.name, bytes: await file.arrayBuffer() });
        return;
    }
    const reader = entry.createReader();
    // A reader gives a hundred entries at a time.
    for (;;)
    {
        const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (entries.length === 0)
        {
            return;
        }
        for (const child of entries)
        {
            await readEntry(child, `${path}${entry.name}/`, out);
        }
    }
}

/// All files of a drop, those of folders too.
export async function readDrop(transfer)
{
    const entries = [...transfer.items].filter(({ kind }) => kind === 'file')
        .map((item) => item.webkitGetAsEntry?.() ?? null);
    if (entries.some((entry) => entry === null) || entries.length === 0)
    {
        return readFiles(transfer.files);
    }
    const out = [];
    for (const entry of entries)
    {
        await readEntry(entry, '', out);
    }
    return out;
}

export function readFiles(list)
{
    return Promise.all([...list].map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
}

/// Save bytes or text as a file of the user.
export function save(name, content, type = 'application/octet-stream')
{
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60e3);
}

// ----------------------------------------------------------------------------------------------
// ZIP, stored: textures of bakes are dense already.

const CRC = Uint32Array.from({ length: 256 }, (_, byte) =>
{
    let c = byte;
    for (let bit = 0; bit < 8; ++bit)
    {
        c = c & 1 ? 0xedb88320 ^ c >>> 1 : c >>> 1;
    }
    return c >>> 0;
});

function crc32(bytes)
{
    let c = 0xffffffff;
    for (const byte of bytes)
    {
        c = CRC[(c ^ byte) & 255] ^ c >>> 8;
    }
    return (c ^ 0xffffffff) >>> 0;
}

// A record: numbers of 2 or 4 bytes each.
function record(...fields)
{
    const out = new Uint8Array(fields.reduce((sum, [, width]) => sum + width, 0)), view = new DataView(out.buffer);
    let at = 0;
    for (const [value, width] of fields)
    {
        width === 2 ? view.setUint16(at, value, true) : view.setUint32(at, value, true);
        at += width;
    }
    return out;
}

const VERSION = [20, 2], UTF8 = [0x800, 2], STORED = [0, 2], NO_TIME = [0, 2], FIRST_DAY = [0x21, 2];

/// A ZIP archive.
/// @param files  bytes by name
export function zip(files)
{
    const parts = [], index = [];
    let offset = 0;
    const add = (...pieces) => pieces.forEach((piece) => { parts.push(piece); offset += piece.length; });
    for (const [name, bytes] of Object.entries(files))
    {
        const label = new TextEncoder().encode(name), start = offset;
        const about = [VERSION, UTF8, STORED, NO_TIME, FIRST_DAY, [crc32(bytes), 4], [bytes.length, 4],
                       [bytes.length, 4], [label.length, 2], [0, 2]];
        add(record([0x04034b50, 4], ...about), label, bytes);
        index.push(record([0x02014b50, 4], VERSION, ...about, [0, 2], [0, 2], [0, 2], [0, 4], [start, 4]), label);
    }
    const start = offset, count = index.length / 2;
    add(...index);
    add(record([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [offset - start, 4], [start, 4], [0, 2]));
    return new Blob(parts, { type: 'application/zip' });
}
