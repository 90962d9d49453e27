package io.rankfeed.feeder.cli;

/** How every command's help is headed: usage, what it does, options, exit codes, an example. */
public final class HelpLayout {
    static final String PARAMETERS = "%nParameters:%n";
    public static final String OPTIONS = "%nOptions:%n";
    public static final String COMMANDS = "%nCommands:%n";
    static final String EXIT_CODES = "%nExit codes:%n";
    static final String EXAMPLE = "%nExample:%n";
    static final String BUG = "1:a bug";
    static final String CONFIG = "2:what you wrote";
    static final String CORRUPT = "3:damaged data";
    static final String ENVIRONMENT = "4:this machine or network";
    static final String SIGNAL = "130, 143:stopped by SIGINT, SIGTERM";

    private HelpLayout() {}
}
