package io.rankfeed.feeder.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.feeder.serve.protocol.FrameType;
import io.rankfeed.schema.json.StrictJson;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A client of the protocol, written from docs/format/ring.md alone: it shares no code with the feeder's side. */
final class TestTrainer implements AutoCloseable {
    static final int HELLO = 1;
    static final int WELCOME = 2;
    static final int ATTACHED = 3;
    static final int READY = 4;
    static final int RELEASE = 5;
    static final int SEEK = 6;
    static final int EOS = 7;
    static final int ERROR = 8;
    static final int DRAIN = 9;
    static final int BYE = 10;

    private final SocketChannel channel;
    private @Nullable Frame pushedBack;
    private @Nullable FileChannel file;
    private @Nullable MemorySegment memory;
    private @Nullable JsonNode welcome;

    /** A received frame; {@code json} is null if the type has no payload. */
    record Frame(
            int type,
            int slot,
            int arg,
            long token,
            @Nullable JsonNode json) {
        String code() {
            return Objects.requireNonNull(json).path("code").asText();
        }

        String message() {
            return Objects.requireNonNull(json).path("message").asText();
        }
    }

    /** A batch in its slot. */
    record Batch(int slot, int stream, long sequence, long step, int epoch, int stepInEpoch, List<Long> rowIds) {}

    TestTrainer(Path socket) throws IOException {
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
    }

    static String hello(String feed, int rank, int world, long step) {
        return "{\"feed\":\"" + feed + "\",\"rank\":" + rank + ",\"localRank\":" + rank + ",\"world\":" + world
                + ",\"localWorld\":" + world + ",\"pid\":"
                + ProcessHandle.current().pid()
                + ",\"startTime\":1,\"plan\":null,\"step\":" + step + ",\"columns\":null}";
    }

    /** Attaches: HELLO, WELCOME, mapping, ATTACHED. Does not take the lock, which would belong to this JVM. */
    TestTrainer attach(String feed, int rank, int world, long step) throws IOException {
        greet(hello(feed, rank, world, step));
        map();
        send(ATTACHED, 0, 0, 0);
        return this;
    }

    Frame greet(String hello) throws IOException {
        sendHello(hello.getBytes(StandardCharsets.UTF_8));
        Frame answer = read();
        if (answer.type == WELCOME) {
            welcome = answer.json;
        }
        return answer;
    }

    JsonNode welcome() {
        return Objects.requireNonNull(welcome);
    }

    /** Maps the segment and keeps its file open. */
    FileChannel map() throws IOException {
        FileChannel opened = FileChannel.open(
                Path.of(welcome().path("segment").asText()), StandardOpenOption.READ, StandardOpenOption.WRITE);
        file = opened;
        memory = opened.map(
                FileChannel.MapMode.READ_WRITE, 0, welcome().path("bytes").asLong(), Arena.ofAuto());
        return opened;
    }

    void send(int type, int slot, int arg, long token) throws IOException {
        sendRaw(frame(type, slot, arg, token));
    }

    static byte[] frame(int type, int slot, int arg, long token) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) type)
                .put((byte) 0)
                .putShort((short) slot)
                .putInt(arg)
                .putLong(token)
                .array();
    }

    void sendHello(byte[] payload) throws IOException {
        sendPayload(HELLO, FrameType.PROTOCOL_VERSION, payload);
    }

    void sendPayload(int type, long token, byte[] payload) throws IOException {
        sendRaw(frame(type, 0, payload.length, token));
        sendRaw(payload);
    }

    void sendRaw(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Drops frames up to the first of this type, which is the next to be read. */
    void skipTo(int type) throws IOException {
        Frame frame = read();
        while (frame.type != type) {
            frame = read();
        }
        pushedBack = frame;
    }

    /** Waits for the next frame and returns it. */
    Frame read() throws IOException {
        Frame pushed = pushedBack;
        if (pushed != null) {
            pushedBack = null;
            return pushed;
        }
        ByteBuffer head = bytes(16);
        int type = head.get(0);
        int arg = head.getInt(4);
        JsonNode json =
                type == WELCOME || type == ERROR ? StrictJson.parse(bytes(arg).array(), "payload") : null;
        return new Frame(type, Short.toUnsignedInt(head.getShort(2)), arg, head.getLong(8), json);
    }

    private ByteBuffer bytes(int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the feeder closed");
            }
        }
        return buffer.flip();
    }

    /** Returns the next batch after checking that it is whole; null at EOS. */
    @Nullable
    Batch next() throws IOException {
        Frame frame = read();
        if (frame.type == EOS) {
            return null;
        }
        if (frame.type != READY) {
            throw new IllegalStateException("expected READY, not " + frame);
        }
        return batch(frame);
    }

    Batch batch(Frame ready) {
        MemorySegment ring = Objects.requireNonNull(memory);
        long descriptor = get(ring, 32) + (long) ready.slot * ring.get(ValueLayout.JAVA_INT, 20);
        if (get(ring, descriptor) != ready.token || get(ring, descriptor + 8) != ready.token) {
            throw new IllegalStateException("torn batch in slot " + ready.slot);
        }
        long data = get(ring, 40) + ready.slot * get(ring, 48);
        int rows = ring.get(ValueLayout.JAVA_INT, descriptor + 32);
        List<Long> ids = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            long id = get(ring, data + 8L * row);
            ids.add(id);
            for (int i = 0; i < CountingCatalog.PAYLOAD_INTS; i++) {
                int value = ring.get(ValueLayout.JAVA_INT, data + 1024 + 4L * (row * CountingCatalog.PAYLOAD_INTS + i));
                if (value != (int) id) {
                    throw new IllegalStateException("row " + id + " holds " + value);
                }
            }
        }
        return new Batch(
                ready.slot,
                ready.arg,
                ready.token,
                get(ring, descriptor + 16),
                ring.get(ValueLayout.JAVA_INT, descriptor + 24),
                ring.get(ValueLayout.JAVA_INT, descriptor + 28),
                ids);
    }

    private static long get(MemorySegment ring, long offset) {
        return ring.get(ValueLayout.JAVA_LONG, offset);
    }

    /** Writes a stage of the client's own, at most 8, into the stage table. */
    void publish(int entry, String name, long count, long nanos) {
        MemorySegment ring = Objects.requireNonNull(memory);
        long at = get(ring, 152) + entry * 448L;
        byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(ascii, 0, ring, ValueLayout.JAVA_BYTE, at, ascii.length);
        ring.set(ValueLayout.JAVA_LONG, at + 64, count);
        ring.set(ValueLayout.JAVA_LONG, at + 72, nanos);
    }

    /** Returns a number of an entry of the stage table. */
    long stage(int entry, int offset) {
        MemorySegment ring = Objects.requireNonNull(memory);
        return get(ring, get(ring, 152) + entry * 448L + offset);
    }

    void release(Batch batch) throws IOException {
        send(RELEASE, batch.slot, batch.stream, batch.sequence);
    }

    /** Closes only the socket: the file, and with it a lock, stays open. */
    void hangUp() throws IOException {
        channel.close();
    }

    /** Closes without BYE, as a killed trainer's kernel would. */
    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
        channel.close();
    }
}
