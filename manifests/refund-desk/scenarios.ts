// The scenarios that the desk ships with, as data: the manifest holds their digests, a test runs each of them.
import answerLostAndNotThere from './scenarios/answer-lost-and-not-there.json' with { type: 'json' };
import answerLostThenFound from './scenarios/answer-lost-then-found.json' with { type: 'json' };
import approvalExpires from './scenarios/approval-expires.json' with { type: 'json' };
import askedToWait from './scenarios/asked-to-wait.json' with { type: 'json' };
import bankReturnsTheMoney from './scenarios/bank-returns-the-money.json' with { type: 'json' };
import cutOffByARestart from './scenarios/cut-off-by-a-restart.json' with { type: 'json' };
import declined from './scenarios/declined.json' with { type: 'json' };
import foundAfterAll from './scenarios/found-after-all.json' with { type: 'json' };
import largeRefundIsApproved from './scenarios/large-refund-is-approved.json' with { type: 'json' };
import largeRefundIsDenied from './scenarios/large-refund-is-denied.json' with { type: 'json' };
import loginLost from './scenarios/login-lost.json' with { type: 'json' };
import mailSettledByAPerson from './scenarios/mail-settled-by-a-person.json' with { type: 'json' };
import mailToTheRightPerson from './scenarios/mail-to-the-right-person.json' with { type: 'json' };
import mailThatFails from './scenarios/mail-that-fails.json' with { type: 'json' };
import noMoreThanPaid from './scenarios/no-more-than-paid.json' with { type: 'json' };
import nonsenseAnswered from './scenarios/nonsense-answered.json' with { type: 'json' };
import notConnected from './scenarios/not-connected.json' with { type: 'json' };
import ordersAsRecorded from './scenarios/orders-as-recorded.json' with { type: 'json' };
import refundLands from './scenarios/refund-lands.json' with { type: 'json' };
import resolvedWithoutARefund from './scenarios/resolved-without-a-refund.json' with { type: 'json' };
import secondRefundAndFraud from './scenarios/second-refund-and-fraud.json' with { type: 'json' };
import theBudgetOfADay from './scenarios/the-budget-of-a-day.json' with { type: 'json' };
import threeTries from './scenarios/three-tries.json' with { type: 'json' };
import whatTheAgentHasNotSeen from './scenarios/what-the-agent-has-not-seen.json' with { type: 'json' };
import whoMayDoWhat from './scenarios/who-may-do-what.json' with { type: 'json' };
import withdrawn from './scenarios/withdrawn.json' with { type: 'json' };

export const scenarios = {
  'answer-lost-and-not-there': answerLostAndNotThere,
  'answer-lost-then-found': answerLostThenFound,
  'approval-expires': approvalExpires,
  'asked-to-wait': askedToWait,
  'bank-returns-the-money': bankReturnsTheMoney,
  'cut-off-by-a-restart': cutOffByARestart,
  declined,
  'found-after-all': foundAfterAll,
  'large-refund-is-approved': largeRefundIsApproved,
  'large-refund-is-denied': largeRefundIsDenied,
  'login-lost': loginLost,
  'mail-settled-by-a-person': mailSettledByAPerson,
  'mail-to-the-right-person': mailToTheRightPerson,
  'mail-that-fails': mailThatFails,
  'no-more-than-paid': noMoreThanPaid,
  'nonsense-answered': nonsenseAnswered,
  'not-connected': notConnected,
  'orders-as-recorded': ordersAsRecorded,
  'refund-lands': refundLands,
  'resolved-without-a-refund': resolvedWithoutARefund,
  'second-refund-and-fraud': secondRefundAndFraud,
  'the-budget-of-a-day': theBudgetOfADay,
  'three-tries': threeTries,
  'what-the-agent-has-not-seen': whatTheAgentHasNotSeen,
  'who-may-do-what': whoMayDoWhat,
  withdrawn,
};
