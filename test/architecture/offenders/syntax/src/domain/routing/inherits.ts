export class Plain {}

export class Offence extends Plain {} // offends: no-restricted-syntax No inheritance
