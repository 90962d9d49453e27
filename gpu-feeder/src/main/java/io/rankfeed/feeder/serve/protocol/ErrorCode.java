package io.rankfeed.feeder.serve.protocol;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.RankfeedException;

/** The reasons for which a connection is refused or closed: the codes of an ERROR frame. */
public enum ErrorCode {
    PROTOCOL("protocol", 1),
    VERSION("version", 2),
    WRONG_WORLD("wrong-world", 2),
    WRONG_RANK("wrong-rank", 2),
    WRONG_PLAN("wrong-plan", 2),
    BAD_COLUMN("bad-column", 2),
    CONFIG("config", 2),
    CORRUPT("corrupt", 3),
    ENVIRONMENT("environment", 4),
    SHM_FULL("shm-full", 4),
    BUSY("busy", 4),
    SEGMENT("segment", 4),
    INTERNAL("internal", 1);

    private final String id;
    private final int exitCode;

    ErrorCode(String id, int exitCode) {
        this.id = id;
        this.exitCode = exitCode;
    }

    public String id() {
        return id;
    }

    public int exitCode() {
        return exitCode;
    }

    public static ErrorCode of(RankfeedException failure) {
        return switch (failure) {
            case ConfigException config -> CONFIG;
            case CorruptDataException corrupt -> CORRUPT;
            case EnvironmentException environment -> ENVIRONMENT;
        };
    }
}
