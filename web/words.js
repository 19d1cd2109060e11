// SPDX-License-Identifier: MIT
// Numbers and elements as people read them.

/// Three significant digits, without an exponent.
export function digits(value)
{
    if (!Number.isFinite(value))
    {
        return '-';
    }
    const size = Math.abs(value);
    const places = size === 0 ? 0 : Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(size))));
    return value.toFixed(places);
}

export function length(meters)
{
    return Math.abs(meters) < 1 ? `${digits(1e3 * meters)} mm` : `${digits(meters)} m`;
}

export const percent = (part) => `${digits(100 * part)} %`;

export function bytes(count)
{
    return count < 1e3 ? `${count} bytes` : count < 1e6 ? `${digits(count / 1e3)} kB` : `${digits(count / 1e6)} MB`;
}

/// 4 870
export const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');

export const counted = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

/// An element with properties and children.
export function element(name, properties = {}, ...children)
{
    const out = Object.assign(document.createElement(name), properties);
    out.append(...children);
    return out;
}
