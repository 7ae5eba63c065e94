// The mutants of sealing, validation, and the bound of the frame.
import { mutants, type Mutant } from './mutant.ts';

export const MANIFEST: readonly Mutant[] = [
  ...mutants('manifest/seal.ts', [
    ['seal: defects are not looked at', 'if (errors.length > 0) throw', 'if (false) throw'],
    ['seal: any bytes will do', "if (canonical(parsed) !== text) throw new KernelFault('not_canonical');", ''],
    ['seal: any hash will do', 'if (expectedHash !== undefined && expectedHash !== hash) throw', 'if (false) throw'],
    ['seal: what is sealed is not frozen', 'const manifest = deepFreeze(parsed) as', 'const manifest = parsed as'],
    ['seal: what rules read is not causal', "return reference.root === 'target' ||", "return false && reference.root === 'target' ||"],
  ]),
  ...mutants('manifest/validation/core.ts', [
    ['validation: the core may be altered', "if (!sameJson(expected, said)) found.error(at, 'core_altered');", ''],
    ['validation: agents may take what is left to people', "if (isJsonList(kinds) && kinds.includes('Agent')) found", 'if (false) found'],
  ]),
  ...mutants('manifest/validation/rules.ts', [
    ['validation: rules are not typed', 'node === undefined ? defects : checkCondition(node, types, at)', 'defects'],
  ]),
  ...mutants('manifest/validation/fits.ts', [
    ['validation: any value fits any field', "if (source.kinds.includes('any') || into.kinds.includes('any')) return undefined;", 'return undefined;'],
    ['validation: bounds are not compared', 'return least >= lowest && most <= highest;', 'return true;'],
  ]),
  ...mutants('manifest/validation/requests.ts', [
    ['validation: an effect need not send its correlation id', 'if (!sent.some(sendsCorrelation)) found', 'if (false) found'],
  ]),
  ...mutants('manifest/frame-bound.ts', [
    ['frame: half of the blockers are not counted', 'count: 2 * unresolvedMax,', 'count: unresolvedMax,'],
    ['frame: a control character is one byte', 'const CHARACTER_BYTES_MAX = 6;', 'const CHARACTER_BYTES_MAX = 1;'],
  ]),
];
