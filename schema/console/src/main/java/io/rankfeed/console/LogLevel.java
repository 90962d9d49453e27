package io.rankfeed.console;

/** How much a line of a log matters; a later level matters more. */
public enum LogLevel {
    DEBUG,
    INFO,
    WARNING,
    ERROR
}
