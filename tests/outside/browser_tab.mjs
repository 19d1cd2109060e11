// SPDX-License-Identifier: MIT
// A tab of a headless Chromium under the DevTools protocol, for tests of pages: over a pipe, so that
// nothing listens on a port.
import { spawn } from 'node:child_process';

const PATIENCE = 120e3; // milliseconds, for a browser that never answers

export class Tab
{
    // @param heard  called with the name and the parameters of each event
    // @param flags  of the browser, besides those for every page
    static async open(chromium, folder, heard, flags = [])
    {
        const tab = new Tab();
        tab.heard = heard;
        tab.waiting = new Map();
        tab.next = 0;
        tab.browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
            '--disable-background-networking', `--user-data-dir=${folder}/profile`,
            '--remote-debugging-pipe', ...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
        tab.listen();
        const { targetId } = await tab.send('Target.createTarget', { url: 'about:blank' });
        tab.session = (await tab.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
        return tab;
    }

    listen()
    {
        let text = '';
        this.browser.stdio[4].on('data', (piece) =>
        {
            text += piece;
            const messages = text.split('\0');
            text = messages.pop();
            messages.forEach((message) => this.receive(JSON.parse(message)));
        });
        this.browser.on('error', (error) => { throw error; });
        this.browser.on('exit', () => this.waiting.forEach(({ reject }) => reject(new Error('the browser has ended'))));
    }

    receive(message)
    {
        const answer = this.waiting.get(message.id);
        if (answer)
        {
            this.waiting.delete(message.id);
            message.error ? answer.reject(new Error(message.error.message)) : answer.resolve(message.result);
            return;
        }
        this.heard(message.method, message.params);
        this.once?.method === message.method && this.once.resolve();
    }

    send(method, params = {})
    {
        const id = ++this.next;
        return new Promise((resolve, reject) =>
        {
            this.waiting.set(id, { resolve, reject });
            setTimeout(() => reject(new Error(`${method}: no answer`)), PATIENCE).unref();
            this.browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
        });
    }

    // Go to an address, and wait until it is loaded.
    async show(url)
    {
        const loaded = new Promise((resolve) => { this.once = { method: 'Page.loadEventFired', resolve }; });
        await this.send('Page.navigate', { url });
        await loaded;
    }

    // The value of a function in the page.
    async ask(question, ...parameters)
    {
        const expression = `(${question})(...${JSON.stringify(parameters)})`;
        const { result, exceptionDetails } =
            await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
        if (exceptionDetails)
        {
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        }
        return result.value;
    }

    close()
    {
        this.browser.removeAllListeners('exit');
        const ended = new Promise((resolve) => this.browser.on('exit', resolve));
        this.browser.kill('SIGKILL');
        return ended;
    }
}
