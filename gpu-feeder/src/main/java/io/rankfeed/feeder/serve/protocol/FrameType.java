package io.rankfeed.feeder.serve.protocol;

import org.jspecify.annotations.Nullable;

/** The frames of the protocol, by their code on the wire (docs/format/ring.md, section 2). */
public enum FrameType {
    HELLO(1),
    WELCOME(2),
    ATTACHED(3),
    READY(4),
    RELEASE(5),
    SEEK(6),
    EOS(7),
    ERROR(8),
    DRAIN(9),
    BYE(10);

    /** The version of the protocol, the token of HELLO and WELCOME. */
    public static final int PROTOCOL_VERSION = 2;

    private static final FrameType[] BY_CODE = new FrameType[11];

    static {
        for (FrameType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final byte code;

    FrameType(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    /** Returns null if no frame has this code. */
    static @Nullable FrameType ofCode(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
