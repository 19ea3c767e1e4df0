const offence = 1;

export { offence as default }; // offends: no-restricted-syntax No default export
