// offends: openai-in-its-adapter-only
import type OpenAI from 'openai';

export type Offence = OpenAI;
