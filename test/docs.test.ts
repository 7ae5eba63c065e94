// The documents say what is: tables and lists in them are compared with the code that they are about.
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import manifest from '../manifests/refund-desk/manifest.json' with { type: 'json' };
import { scenarios } from '../manifests/refund-desk/scenarios.ts';
import { CERTAINTIES, CORE, EVIDENCE_KINDS, LIMITS, OUTCOME_KINDS, PRECEDENCE, REFUSALS } from '../src/kernel/index.ts';
import { PROBLEM_TITLES } from '../src/protocol/problem.ts';
import { files, headingsOf, linksOf, rowsOf, sources, textOf } from './repository.ts';
import { Deployment } from './router/fakes.ts';

const bare = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '');
/** What stands in back-ticks anywhere in a document. */
const quotedIn = (document: string): ReadonlySet<string> => new Set([...textOf(document).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text));

describe('docs/refusals.md', () => {
  const document = 'docs/refusals.md';

  it('lists every refusal in the one precedence, with its outcome, its cause and what to do', () => {
    const rows = rowsOf(document).filter(([check]) => /^\d+$/.test(check ?? ''));
    expect(rows.map(([check, code, kind]) => ({ check: Number(check), code: bare(code), kind }))).toEqual(
      REFUSALS.map(({ check, code, kind }) => ({ check, code, kind })),
    );
    expect(rows.filter((row) => row.length !== 5 || row.some((cell) => cell === ''))).toEqual([]);
  });

  it('names every built-in rule', () => {
    const kernel = sources.filter((file) => file.startsWith('src/kernel/'));
    const named = kernel.flatMap((file) =>
      [...textOf(file).matchAll(/ruleFailure\(\s*(?:'([a-z_]+)(?::[a-z]+)?'|`([a-z_]+:)\$)/g)].map(([, plain, family]) => plain ?? family ?? ''),
    );
    const said = [...quotedIn(document)];
    expect(named.length).toBeGreaterThan(15);
    expect([...new Set(named)].filter((rule) => !said.some((text) => text === rule || text.startsWith(rule.endsWith(':') ? rule : `${rule}:`)))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const document = 'docs/architecture.md';

  it('gives the precedence, the outcomes, the certainties and the words of evidence as the code has them', () => {
    expect(textOf(document)).toContain(`\`${PRECEDENCE.join(' ')}\``);
    expect(textOf(document).replaceAll(/\s+/g, ' ')).toContain(`\`${OUTCOME_KINDS.join(' ')}\``);
    const said = quotedIn(document);
    expect(CERTAINTIES.filter((certainty) => !said.has(certainty))).toEqual([]);
    expect(EVIDENCE_KINDS.filter((kind) => kind !== 'inconclusive' && !said.has(kind))).toEqual([]);
  });

  it('gives the schedule of read-backs as it is', () => {
    const said = /alarm ([\d, ]+) s, ([\d]+) and ([\d]+) min, ([\d]+), ([\d]+) and ([\d]+) h/.exec(textOf(document).replaceAll(/\s+/g, ' ')) ?? [];
    const seconds = (said[1] ?? '').split(', ').map(Number);
    const minutes = said.slice(2, 4).map((text) => Number(text) * 60);
    const hours = said.slice(4).map((text) => Number(text) * 3600);
    expect([...seconds, ...minutes, ...hours]).toEqual(LIMITS.readBackScheduleSeconds);
  });
});

describe('docs/http.md', () => {
  const document = 'docs/http.md';

  it('lists the routes of the published contract, and no others', async () => {
    const { paths } = (await new Deployment().call('GET', '/openapi.json')).json as { readonly paths: { readonly [path: string]: object } };
    const published = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    const listed = rowsOf(document).flatMap(([route]) => (/^`[A-Z]+ \//.test(route ?? '') ? [bare(route)] : []));
    expect(listed.toSorted()).toEqual(published.toSorted());
  });

  it('explains every status of a problem', () => {
    const explained = rowsOf(document).flatMap(([status]) => (/^\d{3}$/.test(status ?? '') ? [status] : []));
    expect(explained).toEqual(Object.keys(PROBLEM_TITLES));
  });

  it('lists the core actions, what they are taken on and by whom', () => {
    const rows = rowsOf(document).filter(([action]) => Object.hasOwn(CORE.actions, bare(action)));
    expect(rows.map(([action]) => bare(action)).toSorted()).toEqual(Object.keys(CORE.actions).toSorted());
    for (const [action, on, who] of rows) {
      const { creates, roles, target } = CORE.actions[bare(action)] ?? { creates: undefined, roles: [], target: [] };
      expect(on, action).toBe(creates === true ? `makes a ${target[0]}` : target[0] === '*' ? 'any object' : target[0]);
      expect(who, action).toBe(roles.join(', '));
    }
  });

  it('says of what is not there that it answers 404', async () => {
    const missing = /Not there yet, so 404: (.*)/.exec(textOf(document).replaceAll(/\s+/g, ' '))?.[1] ?? '';
    const named = [...(missing.split(' of a world')[0]?.matchAll(/`(\/[a-z]+)`/g) ?? [])].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(3);
    const { paths } = (await new Deployment().call('GET', '/openapi.json')).json as { readonly paths: { readonly [path: string]: object } };
    expect(named.filter((path) => Object.hasOwn(paths, `/v1/worlds/{world}${path}`))).toEqual([]);
  });
});

describe('docs/operating.md', () => {
  const said = quotedIn('docs/operating.md');

  it('names every variable of a deployment', () => {
    const variables = [...textOf('src/env.ts').matchAll(/readonly ([A-Z_]+)\??: string/g)].map(([, name = '']) => name);
    expect(variables.length).toBeGreaterThan(5);
    expect(variables.filter((name) => !said.has(name))).toEqual([]);
  });

  it('says of every blocker that a frame can show who lifts it', () => {
    const codes = [...textOf('src/kernel/observation/sections.ts').matchAll(/code: '([a-z_]+)'|\? '([a-z_]+)'/g)].map(
      ([, code, chosen]) => code ?? chosen ?? '',
    );
    const rows = rowsOf('docs/operating.md').map(([blocker]) => bare(blocker));
    expect(codes.length).toBeGreaterThan(5);
    expect(
      [...codes.filter((code) => /_/.test(code) || code === 'conflict'), 'authentication_required'].filter(
        (code) => !rows.includes(code) && code !== 'read_back',
      ),
    ).toEqual([]);
  });
});

describe('src/kernel/SPEC.md', () => {
  const invariants = rowsOf('src/kernel/SPEC.md').filter(([number]) => /^[IK]\d+$/.test(number ?? ''));

  it('names for each invariant where it is enforced, by files and names that are there', () => {
    expect(invariants.length).toBeGreaterThan(10);
    const places = invariants.flatMap(([, , enforced = '']) => enforced.split(', ').map((place) => /^(\S+)(?: `(\w+)`)?$/.exec(place) ?? [place, '', '']));
    const missing = places.filter(([, path = '', name]) => {
      const file = ['', 'src/kernel/', 'src/kernel/transition/'].map((folder) => folder + path).find((each) => existsSync(each));
      return file === undefined || (name !== undefined && !textOf(file).includes(name));
    });
    expect(missing.map(([place]) => place)).toEqual([]);
  });

  it('names for each a test, or a script that measures it', () => {
    const named = invariants.flatMap(([, , , tests = '']) => tests.split(', '));
    expect(named.filter((test) => !existsSync(`test/${test}.test.ts`) && !/^scripts\/.+\.ts$/.test(test))).toEqual([]);
    expect(named.filter((test) => test.startsWith('scripts/') && !existsSync(test))).toEqual([]);
  });
});

describe('the refund desk', () => {
  const document = 'manifests/refund-desk/README.md';
  const own = Object.entries(manifest.actions).filter(([action]) => !Object.hasOwn(CORE.actions, action));

  it('tells every action, what it is taken on and by whom', () => {
    const rows = rowsOf(document).filter(([action]) => own.some(([name]) => name === bare(action)));
    expect(rows.map(([action]) => bare(action)).toSorted()).toEqual(own.map(([name]) => name).toSorted());
    for (const [action, on, who] of rows) {
      const definition = own.find(([name]) => name === bare(action))?.[1];
      expect(on?.replace(/^makes an? /, ''), action).toBe(definition?.target.join(', '));
      expect(who, action).toBe(definition?.roles.join(', '));
    }
  });

  it('tells every rule and every approval, and of which action it is', () => {
    const named = own.flatMap(([action, { rules, approvals }]) => [...rules, ...approvals].map(({ name }) => `${name} of ${action}`));
    const rows = rowsOf(document).map(([name, of]) => `${bare(name)} of ${bare(of)}`);
    expect(named.filter((each) => !rows.includes(each))).toEqual([]);
  });

  it('lists every scenario file', () => {
    const there = readdirSync('manifests/refund-desk/scenarios').map((file) => file.replace(/\.json$/, ''));
    expect(there.toSorted()).toEqual(Object.keys(scenarios).toSorted());
    expect(there.length).toBeGreaterThanOrEqual(8);
  });
});

describe('the decisions', () => {
  const notes = files.filter((file) => /^docs\/decisions\/.+\.md$/.test(file) && !file.endsWith('README.md'));

  it('are dated, and say what was decided, why, what it costs and where it is', () => {
    expect(notes.length).toBeGreaterThan(0);
    for (const note of notes) {
      expect(note).toMatch(/^docs\/decisions\/\d{4}-\d\d-\d\d-[a-z0-9-]+\.md$/);
      expect(headingsOf(note)[0]).toMatch(new RegExp(`^${/\d{4}-\d\d-\d\d/.exec(note)?.[0]} · `));
      for (const part of ['Decided', 'Why', 'What it costs', 'Where']) expect(textOf(note), `${note}: ${part}`).toContain(`**${part}.**`);
    }
  });

  it('are all listed under their titles', () => {
    expect(linksOf('docs/decisions/README.md').map(({ file }) => file)).toEqual(expect.arrayContaining([...notes]));
    for (const note of notes) expect(textOf('docs/decisions/README.md')).toContain(`[${headingsOf(note)[0]}]`);
  });
});

describe('README.md', () => {
  it('has a place for every folder', () => {
    const named = rowsOf('README.md').flatMap(([folder = '']) => folder.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').split(', '));
    const there = new Set(
      sources
        .filter((file) => file.includes('/'))
        .map((file) => (file.startsWith('src/') ? file.split('/').slice(0, 2).join('/') : (file.split('/')[0] ?? ''))),
    );
    expect([...there].filter((folder) => folder !== 'src/env.ts' && !named.includes(folder))).toEqual([]);
  });
});
