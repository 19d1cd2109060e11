// SPDX-License-Identifier: MIT
// JSON files of bakes against their schema, by npm's ajv: node baked_schema.mjs NPM_DIR SCHEMA FILE...
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [npm, schema, ...files] = process.argv.slice(2);
const require = createRequire(path.resolve(npm, "node_modules", "x.js"));
const Ajv = require("ajv/dist/2020");
const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const validate = new Ajv({ strict: true, strictRequired: false, strictTypes: false }).compile(read(schema));
for (const file of files) {
    if (!validate(read(file))) {
        console.log(file, validate.errors);
        process.exitCode = 1;
    }
}
