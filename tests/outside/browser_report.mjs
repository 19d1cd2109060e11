// SPDX-License-Identifier: MIT
// The page of pelt compare, opened from the disk at the widths of a phone and of a desktop, light and
// dark: node tests/outside/browser_report.mjs PELT CHROMIUM
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Tab } from './browser_tab.mjs';

const WIDTHS = [390, 1280];
const LEAST_CONTRAST = 4.5; // WCAG 2.1, level AA

const [pelt, chromium] = process.argv.slice(2);
if (!pelt || !chromium)
{
    console.error('usage: node browser_report.mjs PELT CHROMIUM');
    process.exit(2);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-report-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const shots = process.env.PELT_SHOTS;

let failures = 0;
function check(fact, holds, found)
{
    failures += holds ? 0 : 1;
    console.log(holds ? `ok      ${fact}` : `FAILED  ${fact}: ${JSON.stringify(found)}`);
}

// ---------------------------------------------------------------------------------------------
// Questions to the page

const openAll = () => document.querySelectorAll('details').forEach((details) => { details.open = true; });

// Pictures that are not drawn, or not within the page.
const missingPictures = () => [...document.images].filter((image) =>
{
    const { left, right, width } = image.getBoundingClientRect();
    return !image.complete || image.naturalWidth === 0 || width < 40 || left < 0 || right > innerWidth;
}).length;

const overflow = () => document.documentElement.scrollWidth - innerWidth;

// Contrast of every text with what is behind it: the least, and where.
const leastContrast = () =>
{
    const channels = (color) => color.match(/[\d.]+/g).map(Number);
    const light = (color) =>
    {
        const [r, g, b] = channels(color).map((v) => v / 255)
            .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) =>
    {
        for (let e = element; e; e = e.parentElement)
        {
            const color = getComputedStyle(e).backgroundColor;
            if ((channels(color)[3] ?? 1) === 1) { return color; }
        }
        return 'rgb(255, 255, 255)';
    };
    let least = { ratio: 21 };
    for (const e of document.querySelectorAll('p, li, b, span, th, td, button, small, abbr, summary, caption, dd, dt, h1, h3, text, figcaption, footer'))
    {
        const style = getComputedStyle(e);
        const [a, b] = [light(e.namespaceURI.endsWith('svg') ? style.fill : style.color), light(behind(e))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        least = ratio < least.ratio ? { ratio, text: e.textContent.slice(0, 40) } : least;
    }
    return least;
};

// Sort by every heading, twice; tables whose numbers are not in order afterwards.
const unsorted = () =>
{
    const wrong = [];
    for (const heading of document.querySelectorAll('thead th'))
    {
        for (const sign of heading.classList.contains('n') ? [-1, 1] : [1, -1])
        {
            heading.querySelector('button').click();
            const rows = [...heading.closest('table').tBodies[0].rows];
            const values = rows.map((row) => row.cells[heading.cellIndex])
                .map((cell) => (heading.classList.contains('n') ? cell.dataset.v : cell.textContent))
                .filter((value) => value !== undefined);
            const isInOrder = (a, b) => heading.classList.contains('n')
                ? sign * (Number(b) - Number(a)) >= 0
                : sign * b.localeCompare(a, 'en', { numeric: true }) >= 0;
            if (!values.every((value, i) => i === 0 || isInOrder(values[i - 1], value)))
            {
                wrong.push([heading.textContent, sign, values]);
            }
        }
    }
    return wrong;
};

// ---------------------------------------------------------------------------------------------

async function shoot(tab, name)
{
    if (shots)
    {
        const { data } = await tab.send('Page.captureScreenshot', { captureBeyondViewport: true });
        fs.writeFileSync(path.join(shots, `${name}.png`), Buffer.from(data, 'base64'));
    }
}

async function lookAt(tab, url, width, scheme, hasPictures)
{
    const isPhone = width < 600;
    await tab.send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: isPhone });
    await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await tab.show(url);
    await shoot(tab, `${scheme}_${width}`);
    const where = `${width} pixels, ${scheme}`;
    await tab.ask(openAll);
    check(`nothing is wider than the page: ${where}`, await tab.ask(overflow) <= 0, await tab.ask(overflow));
    check(`texts can be read: ${where}`, (await tab.ask(leastContrast)).ratio >= LEAST_CONTRAST, await tab.ask(leastContrast));
    const isDark = await tab.ask(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).every((v) => v < 80));
    check(`the page is ${scheme}: ${where}`, isDark === (scheme === 'dark'), isDark);
    if (hasPictures)
    {
        const [count, missing] = [await tab.ask(() => document.images.length), await tab.ask(missingPictures)];
        check(`all pictures are visible: ${where}`, count > 0 && missing === 0, { count, missing });
    }
    await shoot(tab, `${scheme}_${width}_open`);
}

async function press(tab, key)
{
    for (const type of ['keyDown', 'keyUp'])
    {
        await tab.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: key === 'Tab' ? 9 : 13, text: key === 'Enter' && type === 'keyDown' ? '\r' : undefined });
    }
}

// Tab to the first heading of a table, and press it.
async function sortByKeys(tab)
{
    await tab.ask(() => { document.activeElement.blur(); window.scrollTo(0, 0); });
    for (let i = 0; i < 60 && !await tab.ask(() => document.activeElement.closest('thead') !== null); ++i)
    {
        await press(tab, 'Tab');
    }
    await press(tab, 'Enter');
    return tab.ask(() => document.activeElement.closest('th')?.getAttribute('aria-sort'));
}

async function run()
{
    execFileSync(pelt, ['compare', process.env.PELT_SUBJECT ?? 'rig:bar?vertices=400', '--frames',
                        process.env.PELT_SUBJECT ? '240' : '30', '-o', `${folder}/report`], { stdio: 'ignore' });
    const report = JSON.parse(fs.readFileSync(`${folder}/report/report.json`, 'utf8'));
    const url = pathToFileURL(`${folder}/report/report.html`).href;
    const requests = [], errors = [];
    const tab = await Tab.open(chromium, folder, (method, params) =>
    {
        if (method === 'Network.requestWillBeSent' && params.request.url !== url && !params.request.url.startsWith('data:'))
        {
            requests.push(params.request.url);
        }
        if (method === 'Runtime.exceptionThrown' || (method === 'Log.entryAdded' && params.entry.level === 'error'))
        {
            errors.push(params);
        }
    });
    for (const domain of ['Page', 'Runtime', 'Network', 'Log'])
    {
        await tab.send(`${domain}.enable`);
    }
    for (const width of WIDTHS)
    {
        for (const scheme of ['light', 'dark'])
        {
            await lookAt(tab, url, width, scheme, report.pictures);
        }
    }
    if (!report.pictures)
    {
        console.log('SKIP pictures of the page: OpenGL is not available');
    }
    check('the headline is the recommendation', await tab.ask(() => document.querySelector('h1').textContent) === report.recommendation.headline);
    check('every method has a line in every plot', await tab.ask((count) =>
        [...document.querySelectorAll('svg')].every((svg) => svg.querySelectorAll('.line').length === count), report.contenders.length));
    const wrong = await tab.ask(unsorted);
    check('tables are sorted by the heading that is clicked', wrong.length === 0, wrong);
    const order = await sortByKeys(tab);
    check('and by the one that is reached and pressed by keys', order === 'ascending' || order === 'descending', order);
    await tab.show(url);
    const { data } = await tab.send('Page.printToPDF', { preferCSSPageSize: true, printBackground: true });
    const pages = Buffer.from(data, 'base64').toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    check('all of it is printed, folded or not', pages >= 3, pages);
    if (shots)
    {
        fs.writeFileSync(path.join(shots, 'print.pdf'), Buffer.from(data, 'base64'));
    }
    check('nothing is asked from the network', requests.length === 0, requests);
    check('nothing goes wrong in the page', errors.length === 0, errors);
    await tab.close();
}

await run();
process.exitCode = failures > 0 ? 1 : 0;
