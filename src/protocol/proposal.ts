// The body of `POST …/proposals` after the router has checked its shape. Nothing in it can name the actor.
import type { JsonObject } from '../kernel/index.ts';

export interface Proposal {
  readonly action: string;
  readonly target: string;
  readonly expectedRevision: number;
  readonly parameters: JsonObject;
  readonly observed?: string | undefined;
  readonly expectedOutcome?: string | undefined;
  readonly task?: string | undefined;
  readonly predecessor?: string | undefined;
}
