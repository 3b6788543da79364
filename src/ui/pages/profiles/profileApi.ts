import type { Profile } from '../../../core/profile/profile.ts';
import type { Output } from '../../../wire/contract.ts';
import { api } from '../../engine/api.ts';

/** A profile as listed: `shipped` ones cannot be changed. */
export type ListedProfile = Output<'profile.list'>[number];

/** What only the screens of profiles ask for. */
const profileApi = api.injectEndpoints({
  endpoints: (build) => ({
    profileSave: build.mutation<Profile, Profile>({
      query: (input) => ({ method: 'profile.save' as const, input }),
      invalidatesTags: ['profiles'],
    }),
    profileImport: build.mutation<Profile, { profile: Profile; allowCommands: boolean }>({
      query: (input) => ({ method: 'profile.import' as const, input }),
      invalidatesTags: ['profiles'],
    }),
    profileRemove: build.mutation<Output<'profile.remove'>, { id: string }>({
      query: (input) => ({ method: 'profile.remove' as const, input }),
      invalidatesTags: ['profiles'],
    }),
  }),
});
export const { useProfileSaveMutation, useProfileImportMutation, useProfileRemoveMutation } =
  profileApi;
