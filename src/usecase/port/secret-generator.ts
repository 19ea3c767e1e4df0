export interface SecretGenerator {
  /** A new secret for an API key: at least 160 random bits, URL-safe, with a recognisable prefix. */
  newSecret(): string;
  /** SHA-256 of the secret, hex: what is stored, and what a presented secret is looked up by. */
  hash(secret: string): string;
}
