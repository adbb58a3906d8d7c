// Validates SARIF logs against the official JSON schema (the copy that the official validator
// brings along). Reads a JSON array of paths from standard input, prints a JSON object that gives
// the list of faults for each path. One process for all files: the schema is compiled once.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const require = createRequire(import.meta.url);
const schemaPath = require.resolve('@microsoft/sarif-multitool-linux/sarif-2.1.0.json');
const ajv = new Ajv2020({ allErrors: false, strict: false });
addFormats(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(schemaPath, 'utf8').replace(/^\uFEFF/, '')));

const faults = {};
for (const path of JSON.parse(readFileSync(0, 'utf8'))) {
    try {
        // A decoder that throws: a file with broken UTF-8 is not JSON.
        const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
        faults[path] = validate(JSON.parse(text))
            ? []
            : validate.errors.map((error) => `${error.instancePath || '/'} ${error.message}`);
    } catch (error) {
        faults[path] = [String(error.message)];
    }
}
process.stdout.write(JSON.stringify(faults));
