import type { BundlePreview } from '../../../wire/contract/leaving.ts';
import { api } from '../../engine/api.ts';

/** What leaves in one file: a run, or a story with its runs. */
export interface BundleSubject {
  kind: 'run' | 'story';
  id: string;
}

const bundleApi = api.injectEndpoints({
  endpoints: (build) => ({
    bundlePreview: build.query<BundlePreview, BundleSubject & { redact: boolean }>({
      query: ({ kind, ...input }) => ({
        method: kind === 'run' ? ('bundle.preview' as const) : ('story.preview' as const),
        input,
      }),
      keepUnusedDataFor: 0,
    }),
  }),
});
export const { useBundlePreviewQuery } = bundleApi;
