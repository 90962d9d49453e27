package io.rankfeed.feeder.metrics;

import io.rankfeed.schema.failure.ConfigException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a feeder listens, written as {@code 127.0.0.1:9464} or {@code [::1]:9464}.
 *
 * @param host as it was written, without brackets
 * @param port 0: any that is free
 */
record ListenAddress(String host, int port) {
    private static final Pattern WRITTEN = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^\\[\\]:\\s]+)):([0-9]{1,5})");
    private static final int MAX_PORT = 65_535;

    /** @throws ConfigException if it is not a host and a port */
    static ListenAddress parse(String written) {
        Matcher parts = WRITTEN.matcher(written);
        if (!parts.matches() || Integer.parseInt(parts.group(3)) > MAX_PORT) {
            throw new ConfigException(
                    "--metrics " + written + " is not a host and a port; write it as in 127.0.0.1:9464 or [::1]:9464");
        }
        String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
        return new ListenAddress(host, Integer.parseInt(parts.group(3)));
    }

    /** @throws ConfigException if the host has no address */
    InetSocketAddress resolved() {
        try {
            return new InetSocketAddress(InetAddress.getAllByName(host)[0], port);
        } catch (UnknownHostException e) {
            throw new ConfigException("--metrics " + this + ": unknown host; name an address of this machine", e);
        }
    }

    /** The host as an address on the web has it, with brackets around IPv6. */
    String webHost() {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    @Override
    public String toString() {
        return webHost() + ":" + port;
    }
}
