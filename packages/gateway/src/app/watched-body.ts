// The body of a response, watched from its first byte to its end, whoever ends it.

export interface BodyWatch {
  firstByte?(): void;
  /** `left`: the reader went away before the end. */
  end(outcome: { left: boolean }): void;
}

export function watchBody(response: Response, watch: BodyWatch): Response {
  if (!response.body) {
    watch.end({ left: false });
    return response;
  }
  const reader = response.body.getReader();
  let begun = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            watch.end({ left: false });
            controller.close();
            return;
          }
          if (!begun) watch.firstByte?.();
          begun = true;
          controller.enqueue(value);
        } catch (error) {
          watch.end({ left: false });
          controller.error(error);
        }
      },
      cancel(reason) {
        watch.end({ left: true });
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
