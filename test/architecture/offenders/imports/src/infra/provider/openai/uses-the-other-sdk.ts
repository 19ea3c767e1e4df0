// offends: anthropic-in-its-adapter-only
import Anthropic from '@anthropic-ai/sdk';

export const offence = Anthropic;
