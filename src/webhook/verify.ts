// Responsibility: a delivery is genuine, or it is refused with a code that only the log sees (the caller answers 401 for every failure).
// Boundary: pure; the clock is the caller's. What a genuine delivery says is read in to-evidence.ts.
import type { WebhookContract } from '../kernel/index.ts';
import type { SignedDelivery, Verification } from './delivery.ts';
import { verifyStandard } from './standard.ts';
import { verifyStripe } from './stripe.ts';

/**
 * Verifies a delivery by the contract's scheme against any of the secrets (more than one while they are being rotated).
 * `nowMs` is real time: the age of a signature is not the world's.
 */
export function verify(
  contract: Pick<WebhookContract, 'scheme' | 'toleranceSeconds'>,
  secrets: readonly string[],
  delivery: SignedDelivery,
  nowMs: number,
): Verification {
  switch (contract.scheme) {
    case 'stripe':
      return verifyStripe(secrets, delivery, nowMs, contract.toleranceSeconds);
    case 'standard':
      return verifyStandard(secrets, delivery, nowMs, contract.toleranceSeconds);
  }
}
