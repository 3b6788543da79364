import { Checkbox, NumberInput, Text, TextInput } from '@mantine/core';

import type { DriverParams } from '../../../core/profile/profile.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';

interface Props {
  driver: DriverInfo | undefined;
  profileParams: DriverParams;
  params: DriverParams;
  onChange: (params: DriverParams) => void;
}

/** What a driver is told. An empty field takes the profile's value, shown as its placeholder. */
export function ParamFields({ driver, profileParams, params, onChange }: Props) {
  if (!driver) return <Text size="sm">This driver is not installed.</Text>;
  const set = (name: string, value: string | number | boolean | undefined): void => {
    const { [name]: _before, ...rest } = params;
    onChange(value === undefined || value === '' ? rest : { ...rest, [name]: value });
  };
  return driver.params.map(({ name, type, default: fallback, description }) => {
    const inherited = profileParams[name] ?? fallback;
    const value = params[name];
    const common = { label: name, description, size: 'xs' as const };
    if (type === 'boolean')
      return (
        <Checkbox
          key={name}
          size="xs"
          label={`${name}: ${description}`}
          checked={Boolean(value ?? inherited)}
          onChange={(event) =>
            set(
              name,
              event.currentTarget.checked === Boolean(inherited)
                ? undefined
                : event.currentTarget.checked,
            )
          }
        />
      );
    if (type === 'number')
      return (
        <NumberInput
          key={name}
          {...common}
          placeholder={String(inherited ?? '')}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => set(name, typeof next === 'number' ? next : undefined)}
        />
      );
    return (
      <TextInput
        key={name}
        {...common}
        classNames={{ input: 'mono' }}
        placeholder={String(inherited ?? '')}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => set(name, event.currentTarget.value)}
      />
    );
  });
}
