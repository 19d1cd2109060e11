// SPDX-License-Identifier: MIT
// A page in a headless Chromium, for tests: WebGL 2 and, where the browser has it, WebGPU on
// SwiftShader.
import { spawn } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';

const PATIENCE = 600e3; // milliseconds, for a browser that never answers

// Show the page '/' among the answers, which maps paths to texts. Scripts ask for what they need and
// post a JSON text to /results: nothing depends on how fast they are. Resolves to what was posted.
export function askPage(chromium, folder, answers)
{
    return new Promise((resolve, reject) =>
    {
        let browser;
        const finish = (act) => { browser.kill('SIGKILL'); server.close(); act(); };
        const server = http.createServer(async (request, response) =>
        {
            if (request.url === '/results')
            {
                let body = '';
                for await (const piece of request) { body += piece; }
                response.end();
                finish(() => resolve(JSON.parse(body)));
                return;
            }
            const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
            const type = types[path.extname(request.url)] ?? 'text/html';
            response.writeHead(answers[request.url] ? 200 : 404, { 'Content-Type': type });
            response.end(answers[request.url] ?? '');
        });
        server.listen(0, '127.0.0.1', () =>
        {
            browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu',
                '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--enable-unsafe-webgpu',
                '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan',
                '--disable-background-networking', `--user-data-dir=${folder}/profile`,
                `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' });
            browser.on('error', (error) => reject(error));
        });
        setTimeout(() => finish(() => reject(new Error('the browser did not answer'))), PATIENCE)
            .unref();
    });
}
