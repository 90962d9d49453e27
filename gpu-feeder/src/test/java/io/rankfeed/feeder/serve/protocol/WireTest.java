package io.rankfeed.feeder.serve.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.ring.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A payload that is longer than the buffers of the connection and of its socket. */
@Timeout(300)
class WireTest {
    @TempDir
    private Path folder;

    private final byte[] payload = new byte[Wire.MAX_PAYLOAD_BYTES];
    private final WireBuffers buffers = new WireBuffers(new MemoryBudget(Long.MAX_VALUE));

    @BeforeEach
    void fill() {
        new Random(1).nextBytes(payload);
    }

    @Test
    void longPayload_toPeerThatReadsInParts_arrives() throws Exception {
        try (ServerSocketChannel server = server();
                SocketChannel peer = peer();
                Wire wire = new Wire(server.accept(), buffers)) {
            FutureTask<byte[]> reader = new FutureTask<>(read(peer));
            Thread.ofVirtual().start(reader);
            wire.sendLongPayload(FrameType.WELCOME, 3, 2, payload, System.nanoTime() + 200_000_000_000L, "gone");
            wire.flushWithin(200_000_000_000L);
            assertThat(wire.isBackedUp()).isFalse();
            byte[] received = reader.get();
            assertThat(received).hasSize(Wire.FRAME_BYTES + payload.length).endsWith(payload);
        }
    }

    @Test
    void longPayload_toPeerThatReadsNothing_endsAtTheDeadline() throws Exception {
        try (ServerSocketChannel server = server();
                SocketChannel peer = peer();
                Wire wire = new Wire(server.accept(), buffers)) {
            assertThat(peer.isConnected()).isTrue();
            assertThatThrownBy(() -> wire.sendLongPayload(
                            FrameType.WELCOME, 3, 2, payload, System.nanoTime() + 50_000_000, "did not read"))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("did not read");
        }
    }

    private Callable<byte[]> read(SocketChannel peer) {
        return () -> {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            ByteBuffer part = ByteBuffer.allocate(1000);
            while (all.size() < Wire.FRAME_BYTES + payload.length && peer.read(part) >= 0) {
                all.write(part.array(), 0, part.position());
                part.clear();
            }
            return all.toByteArray();
        };
    }

    private ServerSocketChannel server() throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address());
    }

    private SocketChannel peer() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(address());
        return channel;
    }

    private UnixDomainSocketAddress address() {
        return UnixDomainSocketAddress.of(folder.resolve("s"));
    }
}
