import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A caller who decides about every byte, and who reads only when he is told to. */
export class RawClient {
  private text = '';
  private ended = false;
  private wake: () => void = () => undefined;

  private constructor(readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      this.text += text;
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.ended = true;
      this.wake();
    });
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  get received(): string {
    return this.text;
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** Everything received so far, once it contains `part`. */
  async until(part: string): Promise<string> {
    await this.waitFor(() => this.text.includes(part));
    return this.text;
  }

  /** Everything received, once the connection is closed. */
  async toEnd(): Promise<string> {
    await this.waitFor(() => this.ended);
    return this.text;
  }

  leave(): void {
    this.socket.destroy();
  }

  private async waitFor(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.ended) throw new Error(`The connection closed after: ${this.text}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
