import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  rem,
} from '@mantine/core';

import { roles, roleVariables } from './roles.ts';

/** From the faintest to the darkest; 4 is the accent as words on dark, 6 as a filled control. */
const accent: MantineColorsTuple = [
  '#eef3ff',
  '#dbe6ff',
  '#b9cdff',
  '#97b6ff',
  roles.accent.dark,
  '#4f80f5',
  roles['accent-filled'].dark,
  roles['accent-filled'].light,
  '#1a49bd',
  '#143a96',
];
/** Of the dark theme: 0 is its text, 4 its lines, 6 its raised surfaces, 8 its page. */
const dark: MantineColorsTuple = [
  roles.text.dark,
  roles['text-2'].dark,
  roles['text-3'].dark,
  '#6b7685',
  roles.edge.dark,
  roles.hover.dark,
  roles.raised.dark,
  roles.surface.dark,
  roles.canvas.dark,
  '#080a0d',
];

const fontFamily = '"Inter Variable", system-ui, sans-serif';

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, dark },
  black: roles.text.light,
  fontFamily,
  fontFamilyMonospace: '"JetBrains Mono Variable", monospace',
  // They grow with `--mantine-scale`, which the widest screens raise.
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(13), lg: rem(14), xl: rem(20) },
  lineHeights: { xs: '1.34', sm: '1.54', md: '1.54', lg: '1.43', xl: '1.4' },
  headings: {
    fontFamily,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(20), lineHeight: '1.4' },
      h2: { fontSize: rem(14), lineHeight: '1.43' },
      h3: { fontSize: rem(13), lineHeight: '1.54' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  shadows: { xs: 'var(--tb-shadow)' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    // Help below its field: fields of one row stand in one line, with help or without.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: {
        label: { fontWeight: 500 },
        description: { fontSize: rem(12) },
        error: { fontSize: rem(12) },
      },
    },
    Table: {
      styles: { th: { fontSize: rem(12), fontWeight: 500, color: 'var(--tb-text-2)' } },
    },
    Button: { styles: { label: { fontWeight: 500 } } },
    Badge: { defaultProps: { tt: 'none' }, styles: { label: { fontWeight: 500 } } },
    Modal: { defaultProps: { radius: 'lg' } },
    NumberInput: { defaultProps: { hideControls: true } },
    Paper: { defaultProps: { radius: 'md', shadow: 'xs' } },
    Card: { defaultProps: { radius: 'md', shadow: 'xs' } },
  },
});

const libraryVariables = {
  '--mantine-color-body': 'var(--tb-surface)',
  '--mantine-color-text': 'var(--tb-text)',
  '--mantine-color-dimmed': 'var(--tb-text-2)',
  '--mantine-color-error': 'var(--tb-bad)',
  '--mantine-color-anchor': 'var(--tb-accent)',
  '--mantine-color-placeholder': 'var(--tb-text-3)',
  '--mantine-color-default': 'var(--tb-surface)',
  '--mantine-color-default-hover': 'var(--tb-hover)',
  '--mantine-color-default-border': 'var(--tb-edge)',
  '--mantine-color-red-filled': 'var(--tb-bad-filled)',
  '--mantine-color-red-filled-hover': 'var(--tb-bad-filled-hover)',
  '--mantine-color-grape-filled': 'var(--tb-simulated)',
  // Orange under white words.
  '--mantine-color-orange-9': '#c2410c',
};

/** By night the library fills warnings and faults with a loud ground: a tint tells them as well. */
const darkVariables = {
  '--mantine-color-red-light': 'var(--tb-bad-tint)',
  '--mantine-color-red-light-hover': 'var(--tb-bad-tint)',
  '--mantine-color-red-light-color': 'var(--tb-bad)',
  '--mantine-color-orange-light': 'var(--tb-warn-tint)',
  '--mantine-color-orange-light-hover': 'var(--tb-warn-tint)',
  '--mantine-color-orange-light-color': 'var(--tb-warn)',
  '--mantine-color-yellow-light': 'var(--tb-warn-tint)',
  '--mantine-color-yellow-light-color': 'var(--tb-warn)',
};

/** Hands the roles to the page as `--tb-…`, and to the library under its own names. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...roleVariables('light'), ...libraryVariables },
  dark: { ...roleVariables('dark'), ...libraryVariables, ...darkVariables },
});
