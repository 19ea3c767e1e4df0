/**
 * Puts what `tsc` has emitted, and the packages that it needs, into one file (ADR 22): a start then reads one file where it
 * would look up three thousand. Names stay as they are, for stack traces and logs.
 */
import { build } from 'esbuild';

/** What `main.ts` loads once it has looked at Node's version and has turned on the compile cache, which needs a file of its own. */
const gateway = {
  name: 'gateway',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/container\/run-command\.js$/ }, ({ kind }) =>
      kind === 'entry-point' ? null : { path: './gateway.js', external: true },
    ),
};

await build({
  entryPoints: { main: 'dist/modules/main.js', gateway: 'dist/modules/container/run-command.js' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node22',
  // Native code stays where npm has put it; pg-native is pg's option that we don't install.
  external: ['better-sqlite3', 'pg-native'],
  // Comments and spaces are a third of what would have to be read at every start.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [gateway],
});
