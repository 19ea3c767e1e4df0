import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** `text` is what the tool's message must contain; empty where the rule says it all. */
export type Offence = Readonly<{ file: string; line: number; rule: string; text: string }>;

const marker = /\/\/ offends: (\S+) ?(.*)$/;

const offencesIn = (root: string, file: string): Offence[] =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((content, index) => {
      const [, rule, text] = marker.exec(content) ?? [];
      return rule === undefined ? [] : [{ file, line: index + 1, rule, text: text ?? '' }];
    });

/** Every `// offends: <rule> <text>` of a planted tree, with the place where it stands. */
export const plantedOffences = (root: string): Offence[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => offencesIn(root, file));
