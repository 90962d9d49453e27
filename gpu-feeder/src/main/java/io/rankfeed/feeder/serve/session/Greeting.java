package io.rankfeed.feeder.serve.session;

import io.rankfeed.feeder.serve.protocol.ErrorCode;
import io.rankfeed.feeder.serve.protocol.FrameType;
import io.rankfeed.feeder.serve.protocol.Hello;
import io.rankfeed.feeder.serve.protocol.Refusal;
import io.rankfeed.feeder.serve.protocol.Wire;
import org.jspecify.annotations.Nullable;

/** Receives the HELLO and refuses every other frame. */
final class Greeting implements Wire.Receiver {
    private @Nullable Hello hello;

    /** The HELLO; null before it was received. */
    @Nullable
    Hello hello() {
        return hello;
    }

    @Override
    public void frame(FrameType type, int slot, int arg, long token) {
        throw new Refusal(ErrorCode.PROTOCOL, type + " before WELCOME; a connection begins with HELLO");
    }

    @Override
    public void payload(FrameType type, long token, byte[] utf8) {
        if (type != FrameType.HELLO || hello != null) {
            throw new Refusal(ErrorCode.PROTOCOL, type + " before WELCOME; a connection begins with one HELLO");
        }
        if (token != FrameType.PROTOCOL_VERSION) {
            throw new Refusal(
                    ErrorCode.VERSION,
                    "the client speaks protocol " + token + ", this feeder " + FrameType.PROTOCOL_VERSION
                            + "; install the same release of both");
        }
        hello = Hello.parse(utf8);
    }
}
