package io.rankfeed.feeder.serve.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * Frames over one socket, for one thread; only {@link #wakeup} may come from another. The thread that fills slots also
 * reads and writes here, without blocking, so that a batch is handed over without a change of threads.
 *
 * <pre>
 * 0      1      2      4            8                        16
 * | type | flags| slot |    arg     |         token          |
 * | u8   | u8   | u16  |    u32     |          u64           |
 * </pre>
 */
public final class Wire implements AutoCloseable {
    static final int FRAME_BYTES = 16;
    /** Most bytes of a frame's payload. */
    public static final int MAX_PAYLOAD_BYTES = 1 << 20;

    /** Receives the frames that a peer sent. */
    public interface Receiver {
        void frame(FrameType type, int slot, int arg, long token);

        /** Receives a frame with its complete payload. */
        void payload(FrameType type, long token, byte[] utf8);
    }

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final WireBuffers buffers;
    private final WireBuffers.Pair pair;
    private final ByteBuffer inbox;
    private final ByteBuffer outbox;
    private byte[] payload = new byte[0];
    private int payloadRead;
    private FrameType payloadType = FrameType.HELLO;
    private long payloadToken;
    private boolean inPayload;
    private boolean isClosed;

    /** Takes its buffers from the pool until it is closed. The caller closes the channel if this fails. */
    public Wire(SocketChannel channel, WireBuffers buffers) throws IOException {
        this.channel = channel;
        this.buffers = buffers;
        channel.configureBlocking(false);
        selector = Selector.open();
        boolean isMade = false;
        try {
            key = channel.register(selector, SelectionKey.OP_READ);
            pair = buffers.take();
            inbox = pair.inbox();
            outbox = pair.outbox();
            isMade = true;
        } finally {
            if (!isMade) {
                selector.close();
            }
        }
    }

    /** Whether the peer has not yet taken all that was sent; until it has, nothing more should be read from it. */
    public boolean isBackedUp() {
        return outbox.position() > 0;
    }

    /** Queues a frame without a payload, and writes as many bytes as the socket accepts. */
    public void send(FrameType type, int slot, int arg, long token) throws IOException {
        put(type, slot, arg, token);
        flush();
    }

    /** Queues a frame with a payload, and writes as many bytes as the socket accepts. */
    public void sendPayload(FrameType type, int slot, long token, byte[] utf8) throws IOException {
        put(type, slot, utf8.length, token);
        outbox.put(utf8);
        flush();
    }

    /**
     * Sends a frame whose payload may be longer than the buffer, and waits for the peer if it is.
     *
     * @param missing what to say of a peer that does not read it until the deadline
     */
    public void sendLongPayload(FrameType type, int slot, long token, byte[] utf8, long deadlineNanos, String missing)
            throws IOException {
        put(type, slot, utf8.length, token);
        int queued = 0;
        while (queued < utf8.length) {
            int part = Math.min(outbox.remaining(), utf8.length - queued);
            outbox.put(utf8, queued, part);
            queued += part;
            flush();
            if (!outbox.hasRemaining()) {
                awaitUntil(deadlineNanos, missing);
            }
        }
    }

    private void put(FrameType type, int slot, int arg, long token) {
        outbox.put(type.code()).put((byte) 0).putShort((short) slot).putInt(arg).putLong(token);
    }

    /** Writes as many bytes as the socket accepts without blocking. */
    void flush() throws IOException {
        outbox.flip();
        try {
            while (outbox.hasRemaining() && channel.write(outbox) > 0) {
                // as much as goes
            }
        } finally {
            outbox.compact();
        }
    }

    /**
     * Passes every complete frame that has arrived to the receiver, without waiting.
     *
     * @return false at the end of the stream
     * @throws Refusal if the bytes are not valid frames
     */
    public boolean receive(Receiver receiver) throws IOException {
        while (true) {
            int read = channel.read(inbox);
            if (read <= 0) {
                return read == 0;
            }
            boolean mayHoldMore = !inbox.hasRemaining();
            inbox.flip();
            while (deliver(receiver)) {
                // frame after frame
            }
            inbox.compact();
            if (!mayHoldMore) {
                return true;
            }
        }
    }

    private boolean deliver(Receiver receiver) {
        if (inPayload) {
            int part = Math.min(inbox.remaining(), payload.length - payloadRead);
            inbox.get(payload, payloadRead, part);
            payloadRead += part;
            if (payloadRead < payload.length) {
                return false;
            }
            inPayload = false;
            receiver.payload(payloadType, payloadToken, payload);
            return true;
        }
        if (inbox.remaining() < FRAME_BYTES) {
            return false;
        }
        int code = Byte.toUnsignedInt(inbox.get());
        int flags = inbox.get();
        int slot = Short.toUnsignedInt(inbox.getShort());
        int arg = inbox.getInt();
        long token = inbox.getLong();
        FrameType type = FrameType.ofCode(code);
        if (type == null || flags != 0) {
            throw new Refusal(ErrorCode.PROTOCOL, "a frame of type " + code + " with flags " + flags + " is none");
        }
        if (type == FrameType.HELLO || type == FrameType.ERROR) {
            expectPayload(type, arg, token);
        } else {
            receiver.frame(type, slot, arg, token);
        }
        return true;
    }

    /** Checks the length that the peer states, before memory is allocated for it. */
    private void expectPayload(FrameType type, int lengthBytes, long token) {
        if (lengthBytes < 0 || lengthBytes > MAX_PAYLOAD_BYTES) {
            throw new Refusal(
                    ErrorCode.PROTOCOL,
                    type + " announces " + Integer.toUnsignedString(lengthBytes) + " bytes; at most "
                            + MAX_PAYLOAD_BYTES);
        }
        payload = new byte[lengthBytes];
        payloadRead = 0;
        payloadType = type;
        payloadToken = token;
        inPayload = true;
    }

    /** Waits until the peer has sent something, can take what is backed up, or {@link #wakeup} is called. */
    public void await() throws IOException {
        await(0);
    }

    /**
     * Waits as {@link #await} does, but not beyond a deadline.
     *
     * @param deadlineNanos on {@link System#nanoTime}'s clock
     * @throws Refusal if it has passed, saying what the peer did not do
     */
    public void awaitUntil(long deadlineNanos, String missing) throws IOException {
        long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
        if (leftMillis <= 0) {
            throw new Refusal(ErrorCode.PROTOCOL, missing);
        }
        await(leftMillis);
    }

    /** Waits as {@link #await()} does, but no longer than this time; 0 has no end. */
    public void await(long maxMillis) throws IOException {
        key.interestOps(isBackedUp() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        selector.select(maxMillis);
        selector.selectedKeys().clear();
        if (isBackedUp()) {
            flush();
        }
    }

    /** Tries to write the pending bytes for a time; gives up without an exception. */
    public void flushWithin(long timeoutNanos) throws IOException {
        long start = System.nanoTime();
        while (isBackedUp()) {
            long leftMillis = (timeoutNanos - (System.nanoTime() - start)) / 1_000_000;
            if (leftMillis <= 0) {
                return;
            }
            key.interestOps(SelectionKey.OP_WRITE);
            selector.select(leftMillis);
            selector.selectedKeys().clear();
            flush();
        }
    }

    /** Ends a wait of the thread of this connection; any thread may call it. */
    public void wakeup() {
        selector.wakeup();
    }

    /** Closes the connection and returns its buffers; a second call does nothing. */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            buffers.giveBack(pair);
            try (channel) {
                selector.close();
            }
        }
    }
}
