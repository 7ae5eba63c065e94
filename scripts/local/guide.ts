// What is printed once all is up: commands that can be pasted as they are. They need curl and node, nothing else.
import { DEMO_TENANT } from './demo-keys.ts';
import { DEMO_WORLD } from './provision.ts';
import type { Demo } from './provision.ts';
import type { SandboxPlace } from '../../sandbox/main.ts';
import type { Settings } from './settings.ts';

/** Reads the order, and proposes a refund with the revision and the cursor that came with it. */
function refund(who: 'AGENT' | 'PERSON', amountCents: number): string[] {
  const bearer = `-H "authorization: Bearer $${who}"`;
  return [
    `curl -s ${bearer} $DESK/objects/Order:1001 |`,
    `  node -e 'const o = JSON.parse(require("fs").readFileSync(0, "utf8")); console.log(JSON.stringify({ action: "order.refund", target: o.id,`,
    `    expectedRevision: o.revision, observed: o.cursor, parameters: { amountCents: ${amountCents}, reason: "requested_by_customer" } }))' |`,
    `  curl -s ${bearer} -H 'content-type: application/json' --data-binary @- $DESK/proposals; echo`,
  ];
}

export function guide({ origin }: Settings, place: SandboxPlace, demo: Demo): string {
  return [
    '',
    `The refund desk is open at ${origin} (tenant \`${DEMO_TENANT}\`, world \`${DEMO_WORLD}\`; API: ${origin}/docs).`,
    `Payments and mail go to the sandbox provider at ${place.url}. The keys are kept in ${demo.keysFile}.`,
    '',
    `export DESK=${origin}/v1/worlds/${DEMO_WORLD} SANDBOX=${place.url}/sandbox`,
    `export AGENT=${demo.keys.agent} PERSON=${demo.keys.person}`,
    '',
    '# What the agent sees, and the order as it stands',
    'curl -s -H "authorization: Bearer $AGENT" $DESK/observation; echo',
    'curl -s -H "authorization: Bearer $AGENT" $DESK/objects/Order:1001; echo',
    '',
    '# Refund 25 euro. Paste it again: `already_completed`, and no second refund',
    ...refund('AGENT', 2_500),
    '',
    '# What was decided, and what really happened at the provider',
    'curl -s -H "authorization: Bearer $PERSON" "$DESK/transitions?limit=100"; echo',
    'curl -s $SANDBOX/ledger',
    '',
    '# A refund that happens, and whose answer is lost: in doubt, never sent again, until read-back finds it',
    `curl -s $SANDBOX/faults --data '{"route": "refund", "mode": "lost_answer"}'`,
    ...refund('PERSON', 1_000),
    '',
  ].join('\n');
}
