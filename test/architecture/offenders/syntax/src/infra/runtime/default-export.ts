const offence = 1;

export default offence; // offends: no-restricted-syntax No default export
