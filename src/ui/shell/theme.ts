import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent: a blue that keeps 4.5:1 as text and as a filled control in both themes. */
const accent: MantineColorsTuple = [
  '#eaf2fd',
  '#d3e3f8',
  '#a7c6ef',
  '#7aa8e6',
  '#4f8bdc',
  '#3478d2',
  '#2369c6',
  '#1858ad',
  '#0f4a96',
  '#073b7c',
];

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent },
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
    fontWeight: '600',
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '28px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    // Help below its field: fields of one row stand in one line, with help or without.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
  },
});
