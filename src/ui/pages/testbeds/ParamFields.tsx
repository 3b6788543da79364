import { Checkbox, NumberInput, Select, Text, TextInput } from '@mantine/core';

import { parameterLabel } from '../../../core/base/parameterLabel.ts';
import type { DriverParams } from '../../../core/profile/profile.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';
import { expandPattern } from './layout.ts';

interface Props {
  driver: DriverInfo | undefined;
  profileParams: DriverParams;
  params: DriverParams;
  /** The field that has the focus at first, by the driver's name for it. */
  focused: string | null;
  onChange: (params: DriverParams) => void;
}

/** What a driver is told. An empty field takes the profile's value, shown as its placeholder. */
export function ParamFields({ driver, profileParams, params, focused, onChange }: Props) {
  if (!driver) return <Text size="sm">This driver is not installed.</Text>;
  const set = (name: string, value: string | number | boolean | undefined): void => {
    const { [name]: _before, ...rest } = params;
    onChange(value === undefined || value === '' ? rest : { ...rest, [name]: value });
  };
  const inEffect = (name: string): string =>
    String(
      params[name] ??
        profileParams[name] ??
        driver.params.find((one) => one.name === name)?.default ??
        '',
    );
  // What is set stays in sight, even where it does not count.
  const asked = driver.params.filter(
    ({ name, when }) =>
      when === undefined ||
      when.is.includes(inEffect(when.member)) ||
      params[name] !== undefined ||
      name === focused,
  );
  return asked.map(({ name, type, default: fallback, description, choices = [], least, most }) => {
    const inherited = profileParams[name] ?? fallback;
    const value = params[name];
    const common = {
      label: parameterLabel(name),
      description,
      'data-autofocus': name === focused || undefined,
    };
    if (type === 'boolean')
      return (
        <Checkbox
          key={name}
          {...common}
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
    if (choices.length > 0)
      return (
        <Select
          key={name}
          {...common}
          allowDeselect={false}
          data={[
            {
              value: '',
              label: `As the profile has it: ${labelOf(choices, String(inherited ?? 'none'))}`,
            },
            ...choices,
          ]}
          value={typeof value === 'string' ? value : ''}
          onChange={(chosen) => set(name, chosen ?? '')}
        />
      );
    if (type === 'number')
      return (
        <NumberInput
          key={name}
          {...common}
          hideControls
          clampBehavior="none"
          error={typeof value === 'number' ? outOfBounds(value, least, most) : null}
          placeholder={String(inherited ?? '')}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => set(name, typeof next === 'number' ? next : undefined)}
        />
      );
    const text = typeof value === 'string' ? value : '';
    return (
      <TextInput
        key={name}
        {...common}
        description={text.includes('{') ? `${description}. ${written(text)}` : description}
        classNames={{ input: 'mono' }}
        placeholder={String(inherited ?? '')}
        value={text}
        onChange={(event) => set(name, event.currentTarget.value)}
      />
    );
  });
}

const labelOf = (choices: readonly { value: string; label: string }[], value: string): string =>
  choices.find((choice) => choice.value === value)?.label ?? value;

/** Why the driver would refuse a number; null = it takes it. */
const outOfBounds = (value: number, least = -Infinity, most = Infinity): string | null =>
  value < least ? `At least ${least}` : value > most ? `At most ${most}` : null;

/** What a pattern is written out to: `Tile 1: db1, tile 2: db2`. */
const written = (pattern: string): string =>
  `Tile 1: ${expandPattern(pattern, 0, '')}, tile 2: ${expandPattern(pattern, 1, '')}`;
