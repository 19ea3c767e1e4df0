// STYLE §2 and §3 as lint. Every rule in a 'schneeai/…' block has an offender in test/architecture/offenders/syntax;
// the architecture test fails when one is missing or no longer caught.
const comments = require('@eslint-community/eslint-plugin-eslint-comments');
const tseslint = require('typescript-eslint');

const size = (max) => ['error', { max, skipBlankLines: true, skipComments: true }];

// Time, chance and effects come in as arguments (domain) or through ports (usecase): STYLE §6.
const ambient = [
  { name: 'Date', message: 'Take nowMs as an argument, or read the Clock port.' },
  { name: 'performance', message: 'Take nowMs as an argument, or read the Clock port.' },
  { name: 'crypto', message: 'Ids, hashes and chance come from ports.' },
  { name: 'setTimeout', message: 'Waiting belongs to the Sleeper port.' },
  { name: 'setInterval', message: 'Timers belong to delivery/worker.' },
  { name: 'setImmediate', message: 'Waiting belongs to the Sleeper port.' },
  { name: 'queueMicrotask', message: 'Waiting belongs to the Sleeper port.' },
  { name: 'fetch', message: 'The network belongs to infra.' },
  { name: 'process', message: 'The environment belongs to infra/config.' },
  { name: 'console', message: 'Logging wraps a port or usecase from outside.' },
  { name: 'globalThis', message: 'A way around the list above.' },
];

const chance = [
  { object: 'Math', property: 'random', message: 'Take draw as an argument, or read the Random port.' },
];

const inheritance = {
  selector: ':matches(ClassDeclaration, ClassExpression)[superClass]',
  message: 'No inheritance: hold a collaborator instead, and let a failure be a value.',
};

const defaultExport = {
  selector:
    ':matches(ExportDefaultDeclaration, TSExportAssignment, ExportSpecifier[exported.name="default"])',
  message: 'No default export: a thing has one name everywhere.',
};

const throwing = {
  selector: 'ThrowStatement',
  message: 'No throw in the domain: an expected failure is a Result, an impossible one is assertNever.',
};

const waiting = {
  selector: ':matches(AwaitExpression, :function[async=true], ForOfStatement[await=true])',
  message: 'No async in the domain: a decision is a function from facts to a verdict.',
};

const decorating = { selector: 'Decorator', message: 'No decorator in the domain: they live on DTOs only.' };

const everywhere = [inheritance, defaultExport];

module.exports = tseslint.config(
  { ignores: ['dist', 'coverage', 'console', 'test/architecture/offenders', '**/*.cjs', '**/*.mjs'] },
  ...tseslint.configs.recommendedTypeChecked,
  { languageOptions: { parserOptions: { projectService: true } } },
  {
    name: 'schneeai/everywhere',
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { '@eslint-community/eslint-comments': comments },
    rules: {
      '@eslint-community/eslint-comments/require-description': ['error', { ignore: ['eslint-enable'] }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // A synchronous store behind an asynchronous port is right; `async` there keeps a throw a rejection.
      '@typescript-eslint/require-await': 'off',
      complexity: ['error', 10],
      'max-depth': ['error', 3],
      'max-lines': size(250),
      'max-lines-per-function': size(40),
      'max-params': ['error', 4],
    },
  },
  {
    name: 'schneeai/src',
    files: ['src/**/*.ts'],
    rules: { 'no-console': 'error', 'no-restricted-syntax': ['error', ...everywhere] },
  },
  { files: ['src/main.ts', 'src/delivery/cli/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    name: 'schneeai/usecase',
    files: ['src/usecase/**/*.ts'],
    rules: {
      'no-console': 'off', // `console` is one of the restricted globals here
      'no-restricted-globals': ['error', ...ambient],
      'no-restricted-properties': ['error', ...chance],
    },
  },
  {
    name: 'schneeai/domain',
    files: ['src/domain/**/*.ts'],
    rules: {
      'no-console': 'off', // as above
      'no-restricted-globals': [
        'error',
        ...ambient,
        { name: 'AbortController', message: 'Cancellation is an effect: the usecase reports it as a fact.' },
        { name: 'AbortSignal', message: 'Cancellation is an effect: the usecase reports it as a fact.' },
      ],
      'no-restricted-properties': ['error', ...chance],
      'no-restricted-syntax': ['error', ...everywhere, throwing, waiting, decorating],
    },
  },
  {
    files: ['src/domain/kernel/assert-never.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, waiting, decorating] },
  },
  {
    name: 'schneeai/test',
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'max-lines': size(400),
      'max-lines-per-function': 'off', // a describe block is a function
    },
  },
);
