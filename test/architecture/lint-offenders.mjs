// Runs the project's own ESLint configuration in the planted tree and prints { messages, rules } as JSON. A process of its own,
// because ESLint loads parts of itself by import(), which Jest's module loader refuses.
import path from 'node:path';
import { ESLint } from 'eslint';
import config from '../../eslint.config.cjs';

const root = path.join(import.meta.dirname, 'offenders/syntax');
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: path.join(import.meta.dirname, '../../eslint.config.cjs'),
});

const messages = (await eslint.lintFiles(['src', 'test'])).flatMap(({ filePath, messages }) =>
  messages.map(({ ruleId, message, line }) => ({
    file: path.relative(root, filePath),
    line,
    rule: ruleId ?? (message.startsWith('Unused eslint-disable') ? 'unused-disable-directive' : 'parsing'),
    message,
  })),
);

/** One row per rule that is ours, and one per entry of the rules that take a list: { block, rule, text }. */
const entriesOf = (block, [rule, setting]) => {
  if (setting === 'off') return [];
  const lists = rule.startsWith('no-restricted-') ? setting.slice(1) : [undefined];
  return lists.map((entry) => ({ block, rule, text: entry?.name ?? entry?.message ?? '' }));
};

const rules = config
  .filter(({ name }) => name?.startsWith('schneeai/'))
  .flatMap(({ name, rules, linterOptions }) => [
    ...Object.entries(rules).flatMap((setting) => entriesOf(name, setting)),
    ...(linterOptions ? [{ block: name, rule: 'unused-disable-directive', text: '' }] : []),
  ]);

console.log(JSON.stringify({ messages, rules }));
