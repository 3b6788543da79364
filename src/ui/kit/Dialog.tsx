import { Modal, type ModalProps } from '@mantine/core';

const closeButton = { 'aria-label': 'Close' };
const atOnce = { duration: 0 };

/** A dialog that is open while it is mounted: there at once, its cross named for screen readers. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  return <Modal opened closeButtonProps={closeButton} transitionProps={atOnce} {...props} />;
}
