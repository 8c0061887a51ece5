// dragoman worker: converts for `dragoman convert --queue`.

import { availableParallelism } from 'node:os';
import { checkRoot, readAddress, runWorker } from '@dragoman/convert/queue';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import { stopOnSignal } from '../stop-on-signal.js';
import { wholeNumber } from './convert-sizes.js';
import { noteQueueEvent, noteShards } from './queue-notes.js';

export const workerCommand: Command = {
  usage: 'worker --queue redis://host:port [options]',
  about:
    'Converts for `dragoman convert --queue`: takes shards from the queue, on any number of machines that see the same folder. A worker may be killed at any moment: another takes its shard. Needs two more packages: npm install bullmq@6 ioredis@6.',
  examples: {
    'All cores, until it is stopped.': 'dragoman worker --queue redis://127.0.0.1:6379',
    'One core, until nothing is left; the shared folder is here /mnt/data.':
      'dragoman worker --queue redis://127.0.0.1:6379 --jobs 1 --until-empty \\\n  --root /mnt/data',
  },
  options: {
    '--queue <url>': 'The Redis of the queue: redis://host:port/db, or rediss:// with TLS. Needed.',
    '-j, --jobs <n>': 'Threads. Default: one a core.',
    '--root <folder>':
      'The shared folder, as it is called here. Nothing outside of it is read or written. Default: paths are the same everywhere.',
    '--until-empty': 'End when nothing waits and nobody works: for batch systems. Default: stay.',
    '--once': 'End after one shard. Default: stay.',
  },
  sections: {
    'The queue': `A password in the URL can be seen by all users of the machine; put it into
DRAGOMAN_QUEUE_PASSWORD instead. Whoever can write to the Redis can have a
worker read files: protect it, and use --root. Redis may be restarted, also if
it forgets everything. docs/scale.md has more.`,
    Stopping: `Ctrl-C or SIGTERM gives the shard back, and ends. SIGKILL, a crash or a lost
machine: after some seconds another worker takes the shard. What was half done
is made again; the output is the same. A shard that fails three times ends its
run.`,
    'Exit codes': `0    stopped, or nothing is left
1    some shards failed here
2    called wrongly
3    a folder is not there
4    Redis does not answer, or a run is of another version`,
  },
  async run(args) {
    if (args.words.length > 0) throw new CommandError(`worker takes no words, found ${args.words.join(' ')}`);
    const queue = args.value('queue');
    if (queue === undefined) throw new CommandError('which queue? Add --queue redis://host:port');
    const asked = args.oneOf('until-empty', 'once');
    const root = args.value('root');
    checkRoot(root);
    const address = readAddress(queue);
    const jobs = wholeNumber(args, 'jobs') ?? availableParallelism();
    const stop = stopOnSignal();
    try {
      const until = asked === undefined ? 'stopped' : asked === 'once' ? 'one' : 'empty';
      const options = { address, jobs, root, until, stop: stop.signal, on: noteQueueEvent } as const;
      const { made, failed } = await runWorker(options);
      noteShards(made);
      return failed > 0 ? EXIT.partial : EXIT.done;
    } finally {
      stop.end();
    }
  },
};
