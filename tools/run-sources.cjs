/** Has Node run the sources as they are: `node -r ./tools/run-sources.cjs src/main.ts`. */
const Module = require('node:module');

require('@swc-node/register');

const resolve = Module._resolveFilename;

/** A dynamic import names the file that Node will load, which `tsc` has yet to make. */
Module._resolveFilename = function (request, ...rest) {
  try {
    return resolve.call(this, request, ...rest);
  } catch (error) {
    if (!/^\.{1,2}\/.+\.js$/.test(request)) throw error;
    return resolve.call(this, request.replace(/\.js$/, '.ts'), ...rest);
  }
};
