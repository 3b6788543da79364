// Real peers on a machine that others may load: a test waits for states, and its limit is minutes. No retry hides a wrong one.
jest.setTimeout(10 * 60_000);
