// The scenarios that the desk ships with, as data: the manifest holds their digests.
import declined from './scenarios/declined-refund.json' with { type: 'json' };

export const scenarios = { 'declined-refund': declined };
