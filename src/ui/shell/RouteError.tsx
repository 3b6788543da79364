import { Alert, Button, Container, Text } from '@mantine/core';
import { useRouteError } from 'react-router';

/** A screen that failed to draw: said in place, the rest of the console goes on. */
export function RouteError() {
  const error = useRouteError();
  return (
    <Container p="xl">
      <Alert color="red" title="This screen could not be drawn" role="alert">
        <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>
        <Text size="sm">A running benchmark is not affected.</Text>
        <Button
          mt="sm"
          size="xs"
          variant="default"
          onClick={() => {
            window.location.hash = '#/';
            window.location.reload();
          }}
        >
          Reload the console
        </Button>
      </Alert>
    </Container>
  );
}
