// SPDX-License-Identifier: MIT
// A KTX2 file read by npm's ktx-parse, compared with its words:
//     node ktx_parse.mjs NPM_DIR FILE.ktx2 WORDS VK_FORMAT WIDTH HEIGHT
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [npm, file, words, format, width, height] = process.argv.slice(2);
const require = createRequire(path.resolve(npm, "node_modules", "x.js"));
const { read, write } = require("ktx-parse");

const container = read(new Uint8Array(fs.readFileSync(file)));
assert.strictEqual(container.vkFormat, Number(format));
assert.strictEqual(container.pixelWidth, Number(width));
assert.strictEqual(container.pixelHeight, Number(height));
assert.strictEqual(container.levels.length, 1);
assert.match(container.keyValue.KTXwriter, /^pelt /);
const channels = container.dataFormatDescriptor[0].samples.map((sample) => sample.channelType);
assert.deepStrictEqual(channels, [0, 1, 2, 15]);
assert.deepStrictEqual(Buffer.from(container.levels[0].levelData), fs.readFileSync(words));
// What it writes has another layout; pelt has to read that, too.
fs.writeFileSync(file, write(container));
