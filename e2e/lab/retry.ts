// Real peers on a machine that others may load: one more try, with the first failure printed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
