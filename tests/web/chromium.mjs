// SPDX-License-Identifier: MIT
// A headless Chromium that a test drives as a person would: files, mouse, keys, screen. It speaks the
// DevTools protocol over a pipe.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
                '.glb': 'model/gltf-binary' };
const PATIENCE = 240e3; // milliseconds, for a page that hangs

/// Serve a folder on loopback. `requests` collects what was asked for.
export function serve(folder, requests = [])
{
    const server = http.createServer((request, response) =>
    {
        const name = new URL(request.url, 'http://localhost').pathname, file = path.join(folder, name === '/' ? 'index.html' : name);
        requests.push(request.url);
        const isThere = fs.existsSync(file) && fs.statSync(file).isFile();
        response.writeHead(isThere ? 200 : 404, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
        response.end(isThere ? fs.readFileSync(file) : '');
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/// A browser with one page.
export class Browser
{
    constructor(program, folder)
    {
        this.folder = folder;
        this.process = spawn(program, ['--headless', '--no-sandbox', '--disable-gpu', '--use-angle=swiftshader',
            '--enable-unsafe-swiftshader', '--disable-background-networking', '--hide-scrollbars', '--remote-debugging-pipe',
            `--user-data-dir=${folder}/profile`, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
        [, , , this.out, this.in] = this.process.stdio;
        this.next = 0;
        this.waiting = new Map();
        this.errors = []; // what the page has said on its console
        this.session = undefined;
        let rest = Buffer.alloc(0);
        this.in.on('data', (data) =>
        {
            rest = Buffer.concat([rest, data]);
            for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0))
            {
                this._take(JSON.parse(rest.subarray(0, end).toString()));
                rest = rest.subarray(end + 1);
            }
        });
    }

    _take({ id, result, error, method, params })
    {
        const one = this.waiting.get(id);
        this.waiting.delete(id);
        one !== undefined && (error === undefined ? one.resolve(result) : one.reject(new Error(`${one.method}: ${error.message}`)));
        if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
        {
            this.errors.push(params.args.map((arg) => arg.value ?? arg.description).join(' '));
        }
        method === 'Runtime.exceptionThrown' && this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        method === 'Log.entryAdded' && params.entry.level === 'error' && this.errors.push(`${params.entry.text} ${params.entry.url ?? ''}`);
    }

    send(method, params = {})
    {
        const id = ++this.next;
        this.out.write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, method }));
    }

    async start()
    {
        const { targetInfos } = await this.send('Target.getTargets');
        const { targetId } = targetInfos.find(({ type }) => type === 'page');
        this.session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
        await Promise.all(['Page', 'Runtime', 'Log'].map((domain) => this.send(`${domain}.enable`)));
        this.downloads = path.join(this.folder, 'downloads');
        fs.mkdirSync(this.downloads, { recursive: true });
        await this.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: this.downloads });
    }

    async open(url) { await this.send('Page.navigate', { url }); }

    /// The value of an expression in the page; promises are awaited.
    async evaluate(expression)
    {
        const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails !== undefined)
        {
            throw new Error(`${exceptionDetails.exception?.description ?? exceptionDetails.text} in ${expression}`);
        }
        return result.value;
    }

    /// Wait until an expression is true.
    async until(expression, what = expression)
    {
        const end = Date.now() + PATIENCE;
        for (;;)
        {
            const value = await this.evaluate(`(() => { try { return Boolean(${expression}); } catch { return false; } })()`);
            if (value)
            {
                return value;
            }
            if (Date.now() > end)
            {
                throw new Error(`waited in vain for: ${what}`);
            }
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }

    /// Drop files as a person does, by drag events of the browser.
    async drop(files, x = 300, y = 300)
    {
        const data = { items: [], files: files.map((file) => path.resolve(file)), dragOperationsMask: 1 };
        for (const type of ['dragEnter', 'dragOver', 'drop'])
        {
            await this.send('Input.dispatchDragEvent', { type, x, y, data });
        }
    }

    async key(key, code = key)
    {
        const text = key.length === 1 ? key : undefined;
        const windowsVirtualKeyCode = { ' ': 32, ArrowLeft: 37, ArrowRight: 39, Tab: 9, Escape: 27, Enter: 13 }[key] ?? key.toUpperCase().charCodeAt(0);
        await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, text: key === 'Enter' ? '\r' : text, windowsVirtualKeyCode });
        await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, windowsVirtualKeyCode });
    }

    /// Click the middle of an element, or at a position.
    async click(selector, offset = null)
    {
        const place = await this.evaluate(`(() => { const one = document.querySelector(${JSON.stringify(selector)});
            one.scrollIntoView({ block: 'nearest' });
            const { left, top, width, height } = one.getBoundingClientRect(); return [left, top, width, height]; })()`);
        const [x, y] = offset === null ? [place[0] + place[2] / 2, place[1] + place[3] / 2] : [place[0] + offset[0] * place[2], place[1] + offset[1] * place[3]];
        for (const type of ['mousePressed', 'mouseReleased'])
        {
            await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 });
        }
    }

    /// Choose an entry of a select by its value.
    choose(selector, value)
    {
        return this.evaluate(`(() => { const one = document.querySelector(${JSON.stringify(selector)});
            one.value = ${JSON.stringify(value)}; one.dispatchEvent(new Event('change', { bubbles: true })); })()`);
    }

    async screen({ width, height, isDark = false, isPhone = false })
    {
        await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: isPhone });
        await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }] });
    }

    async screenshot(file)
    {
        const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
        fs.writeFileSync(file, Buffer.from(data, 'base64'));
    }

    /// The bytes of a file that the page saves.
    async downloaded(name)
    {
        const file = path.join(this.downloads, name), end = Date.now() + PATIENCE;
        while (!fs.existsSync(file))
        {
            if (Date.now() > end)
            {
                throw new Error(`${name} was not saved`);
            }
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        const bytes = fs.readFileSync(file);
        fs.rmSync(file);
        return bytes;
    }

    async end()
    {
        const ended = new Promise((resolve) => this.process.once('exit', resolve));
        this.process.kill('SIGKILL');
        await ended;
    }
}
