import type { BundlePreview } from '../../../wire/contract/leaving.ts';
import { api } from '../../engine/api.ts';

const bundleApi = api.injectEndpoints({
  endpoints: (build) => ({
    bundlePreview: build.query<BundlePreview, { id: string; redact: boolean }>({
      query: (input) => ({ method: 'bundle.preview' as const, input }),
      keepUnusedDataFor: 0,
    }),
  }),
});
export const { useBundlePreviewQuery } = bundleApi;
