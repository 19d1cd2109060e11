// SPDX-License-Identifier: MIT
// Long tasks in workers, with a bar for each that says what is done and cancels it.

/// Runs tasks of worker.js.
export class Tasks
{
    /// @param list    the element that bars go into
    /// @param module  pelt.wasm, compiled
    constructor(list, module)
    {
        this.list = list;
        this.module = module;
        this.running = new Map(); // by task
    }

    /// Run a task; one of the same name that still runs is canceled.
    /// @return its result; null: it was canceled
    run(task, input, label)
    {
        this.cancel(task);
        return new Promise((resolve, reject) =>
        {
            const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
            const bar = this._bar(label, () => this.cancel(task));
            const finish = (act) =>
            {
                worker.terminate();
                bar.row.remove();
                this.running.get(task) === finish && this.running.delete(task);
                act();
            };
            finish.cancel = () => finish(() => resolve(null));
            this.running.set(task, finish);
            worker.onerror = (event) => finish(() => reject(new Error(event.message ?? 'the worker has ended')));
            worker.onmessage = ({ data: { progress, result, error } }) =>
            {
                progress !== undefined && bar.show(progress);
                result !== undefined && finish(() => resolve(result));
                error !== undefined && finish(() => reject(new Error(error.message)));
            };
            worker.postMessage({ module: this.module, task, input });
        });
    }

    cancel(task) { this.running.get(task)?.cancel(); }

    _bar(label, cancel)
    {
        const row = document.createElement('li');
        const text = document.createElement('span'), bar = document.createElement('progress');
        const button = document.createElement('button');
        text.textContent = label;
        bar.setAttribute('aria-label', label);
        button.textContent = 'Cancel';
        button.title = `Cancel: ${label}`;
        button.onclick = cancel;
        row.append(text, bar, button);
        this.list.append(row);
        return {
            row,
            show({ text: words, part })
            {
                text.textContent = words;
                part === null ? bar.removeAttribute('value') : bar.value = part;
            },
        };
    }
}
