package org.opensearch.bootstrap; // OpenSearch, whose main is called, is visible only there.

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.opensearch.common.settings.KeyStoreWrapper;

/**
 * Starts an OpenSearch node after turning a properties file of secure settings into its keystore.
 *
 * <p>No keystore tool is published as a Maven artifact. Doing it in the node's own JVM saves the
 * start of a second one, and keeps credentials out of process arguments and of the environment.
 */
public final class StreamgateNode {
    private StreamgateNode() {}

    public static void main(String[] args) throws Exception {
        Path secrets = Path.of(System.getProperty("streamgate.secrets"));
        if (Files.exists(secrets)) {
            writeKeystore(secrets, Path.of(System.getProperty("opensearch.path.conf")));
        }
        OpenSearch.main(args);
    }

    private static void writeKeystore(Path secrets, Path config) throws Exception {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(secrets)) {
            properties.load(in);
        } catch (IOException e) {
            throw new IOException("read secure settings from " + secrets, e);
        }
        try (KeyStoreWrapper keystore = KeyStoreWrapper.create()) {
            for (String name : properties.stringPropertyNames()) {
                keystore.setString(name, properties.getProperty(name).toCharArray());
            }
            keystore.save(config, new char[0]);
        }
    }
}
