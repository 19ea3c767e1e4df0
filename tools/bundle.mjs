/**
 * Puts what `tsc` has emitted, and the packages that it needs, into one file (ADR 22): a start then reads one file where it
 * would look up three thousand. Names stay as they are, for stack traces and logs.
 */
import { build } from 'esbuild';

await build({
  entryPoints: ['dist/modules/main.js'],
  outfile: 'dist/main.js',
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
});
